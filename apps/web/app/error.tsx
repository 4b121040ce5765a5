'use client';
import { Button } from '../components/ui/button.tsx';

export default function PageFailed({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="grid min-h-[70dvh] place-items-center px-6 text-center">
      <div className="space-y-5">
        <h1 className="display text-2xl">This page did not hold</h1>
        <p className="text-soft">Something went wrong on our side. Your cart and your orders are safe.</p>
        <Button look="quiet" onClick={reset}>
          Try again
        </Button>
      </div>
    </main>
  );
}
