import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '../process/claim-folder.ts';
import type { ProcessMark } from '../process/mark.ts';

export const SERVER_NAMES = ['postgres', 'redis', 'kafka'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];

/** The environment variable in which each service's address travels. */
export const URL_NAMES = { postgres: 'DATABASE_URL', redis: 'REDIS_URL', kafka: 'KAFKA_BROKERS' } as const;
export type ServiceUrls = Record<(typeof URL_NAMES)[ServerName], string>;

/** All that is needed to start a server, and to start it again in another process. */
export type LaunchPlan = {
  name: ServerName;
  argv: [string, ...string[]];
  env: Record<string, string>;
  cwd: string;
  /** Set when the run is root and the server refuses to be. */
  user: { uid: number; gid: number } | undefined;
  port: number;
  url: string;
  dataDir: string;
  logFile: string;
  stopSignal: NodeJS.Signals;
};

export type ServerRecord = LaunchPlan & { mark: ProcessMark; pid: number };
export type DockerRecord = { project: string; file: string; env: Record<string, string> };

/** `<dir>/services.json`: what runs where. Tests in other processes read it, and write it when they restart a server. */
export type ServicesFile = {
  urls: ServiceUrls;
  servers: Partial<Record<ServerName, ServerRecord>>;
  docker?: DockerRecord;
};

export function readServices(dir: string): ServicesFile {
  return JSON.parse(readFileSync(servicesPath(dir), 'utf8')) as ServicesFile;
}

export function writeServices(dir: string, services: ServicesFile): void {
  writeJson(servicesPath(dir), services);
}

export function servicesPath(dir: string): string {
  return join(dir, 'services.json');
}
