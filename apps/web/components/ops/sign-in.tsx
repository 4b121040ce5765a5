'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';

async function signIn(email: string, password: string): Promise<void> {
  const answer = await fetch('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (answer.ok) return;
  throw new Error(answer.status === 429 ? 'Too many tries. Please wait a minute.' : 'E-mail or password is not right.');
}

export function SignIn() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  // A full load, so that nothing of the signed-out page stays in memory.
  const act = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: () => window.location.assign('/ops'),
  });
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        act.mutate();
      }}
    >
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        problem={act.error?.message}
      />
      <Button type="submit" disabled={act.isPending || act.isSuccess} className="w-full">
        Sign in
      </Button>
    </form>
  );
}
