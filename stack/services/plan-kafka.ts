import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../process/run-command.ts';
import { fetchKafka, type KafkaHome } from './fetch-kafka.ts';
import type { LaunchPlan } from './services-file.ts';

const CLUSTER_ID = 'aG9sZGZhc3QtbG9jYWwtMQ'; // any 16 bytes in base64url; fixed, as there is one cluster a folder
const FORMAT_LIMIT_MS = 60_000;
const JVM = ['-Xmx384m', '-XX:+UseSerialGC', '-Djava.awt.headless=true'];

export type KafkaPorts = { broker: number; controller: number };

export async function planKafka(dir: string, ports: KafkaPorts, say: (line: string) => void): Promise<LaunchPlan> {
  const kafka = await fetchKafka(say);
  const home = join(dir, 'kafka');
  const dataDir = join(home, 'data');
  const properties = join(home, 'server.properties');
  mkdirSync(home, { recursive: true });
  writeFileSync(properties, serverProperties(ports, dataDir));
  await format(kafka, dataDir, properties, say);
  const logging = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-Dorg.slf4j.simpleLogger.showDateTime=true'];
  return {
    name: 'kafka',
    argv: [kafka.java, ...JVM, ...logging, '-cp', kafka.classPath, 'kafka.Kafka', properties],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    cwd: home,
    user: undefined,
    port: ports.broker,
    url: `127.0.0.1:${ports.broker}`,
    dataDir,
    logFile: join(home, 'server.log'),
    stopSignal: 'SIGTERM',
  };
}

/** One node that is broker and controller. The voter is named by address here, not in the data, so ports may change. */
function serverProperties(ports: KafkaPorts, dataDir: string): string {
  const single = ['offsets.topic', 'transaction.state.log', 'share.coordinator.state.topic'];
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${ports.controller}`,
    `listeners=PLAINTEXT://127.0.0.1:${ports.broker},CONTROLLER://127.0.0.1:${ports.controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${ports.broker}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    `log.dirs=${dataDir}`,
    'auto.create.topics.enable=false',
    'group.initial.rebalance.delay.ms=0',
    'default.replication.factor=1',
    'min.insync.replicas=1',
    ...single.flatMap((topic) => [`${topic}.replication.factor=1`, `${topic}.num.partitions=4`]),
    'transaction.state.log.min.isr=1',
    'share.coordinator.state.topic.min.isr=1',
    // A killed broker may come back only when its old registration has lapsed; the default is 9 s.
    'broker.heartbeat.interval.ms=500',
    'broker.session.timeout.ms=3000',
    // The default of 128 MB is a third of this server's heap.
    'log.cleaner.dedupe.buffer.size=16777216',
    '',
  ].join('\n');
}

/** The mark is written last, so a folder without it is the rest of an interrupted start and holds nothing of value. */
async function format(
  kafka: KafkaHome,
  dataDir: string,
  properties: string,
  say: (line: string) => void,
): Promise<void> {
  const mark = join(dataDir, '..', 'formatted');
  if (existsSync(mark) && existsSync(join(dataDir, 'meta.properties'))) return;
  if (existsSync(dataDir)) say('kafka: removing a half-initialised data folder');
  rmSync(dataDir, { recursive: true, force: true });
  const quiet = ['-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
  const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', properties];
  await mustRun(kafka.java, [...JVM, ...quiet, '-cp', kafka.classPath, ...tool], {
    timeoutMs: FORMAT_LIMIT_MS,
  });
  writeFileSync(mark, '');
}
