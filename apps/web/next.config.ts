import type { NextConfig } from 'next';

/** Pages only: API, webhooks, sign-in and security headers are the custom server's (server.ts). */
const config: NextConfig = {
  transpilePackages: ['@holdfast/core'],
  poweredByHeader: false,
  reactStrictMode: true,
  // `tsc` checks types in its own step; Next's check needs a compiler API that TypeScript 7 does not have.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: new URL('../..', import.meta.url).pathname },
  experimental: { optimizePackageImports: ['lucide-react'] },
};

export default config;
