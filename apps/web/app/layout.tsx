import '@fontsource-variable/fraunces/opsz.css';
import '@fontsource-variable/inter/index.css';
import './globals.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '../components/trpc/client.tsx';
import { isTheme, THEME_COOKIE } from '../components/ui/theme.ts';

/** Every page carries the nonce of its own request. */
export const dynamic = 'force-dynamic';
export const metadata: Metadata = {
  title: { default: 'Holdfast', template: '%s · Holdfast' },
  description: 'Well-made things for the coast, in honest numbers.',
};
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf7' },
    { media: '(prefers-color-scheme: dark)', color: '#0d161c' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = (await cookies()).get(THEME_COOKIE)?.value;
  const nonce = /'nonce-([^']+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1];
  return (
    <html lang="en" data-theme={isTheme(theme) ? theme : undefined}>
      <body>
        <CSPProvider {...(nonce && { nonce })}>
          <Providers>{children}</Providers>
        </CSPProvider>
      </body>
    </html>
  );
}
