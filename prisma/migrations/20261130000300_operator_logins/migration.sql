-- Operator logins: the four tables of the login library, in its own column names (it writes them itself).
-- Ours are two columns of "user": `role`, what a procedure's middleware asks for, and `demo`, which marks the
-- accounts that the demo profile seeds; a production process refuses to start while one of them exists.

CREATE TABLE ops."user" (
  "id"            text PRIMARY KEY,
  "name"          text NOT NULL,
  "email"         text NOT NULL UNIQUE,
  "emailVerified" boolean NOT NULL,
  "image"         text,
  "createdAt"     timestamptz NOT NULL DEFAULT ops.clock_now(),
  "updatedAt"     timestamptz NOT NULL DEFAULT ops.clock_now(),
  "role"          text NOT NULL DEFAULT 'viewer' CHECK ("role" IN ('viewer', 'operator', 'admin')),
  "demo"          boolean NOT NULL DEFAULT false
);

CREATE TABLE ops."session" (
  "id"        text PRIMARY KEY,
  "expiresAt" timestamptz NOT NULL,
  "token"     text NOT NULL UNIQUE,
  "createdAt" timestamptz NOT NULL DEFAULT ops.clock_now(),
  "updatedAt" timestamptz NOT NULL,
  "ipAddress" text,
  "userAgent" text,
  "userId"    text NOT NULL REFERENCES ops."user" ("id") ON DELETE CASCADE
);
CREATE INDEX "session_userId_idx" ON ops."session" ("userId");

CREATE TABLE ops."account" (
  "id"                    text PRIMARY KEY,
  "accountId"             text NOT NULL,
  "providerId"            text NOT NULL,
  "userId"                text NOT NULL REFERENCES ops."user" ("id") ON DELETE CASCADE,
  "accessToken"           text,
  "refreshToken"          text,
  "idToken"               text,
  "accessTokenExpiresAt"  timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope"                 text,
  "password"              text,
  "createdAt"             timestamptz NOT NULL DEFAULT ops.clock_now(),
  "updatedAt"             timestamptz NOT NULL
);
CREATE INDEX "account_userId_idx" ON ops."account" ("userId");

CREATE TABLE ops."verification" (
  "id"         text PRIMARY KEY,
  "identifier" text NOT NULL,
  "value"      text NOT NULL,
  "expiresAt"  timestamptz NOT NULL,
  "createdAt"  timestamptz NOT NULL DEFAULT ops.clock_now(),
  "updatedAt"  timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX "verification_identifier_idx" ON ops."verification" ("identifier");
