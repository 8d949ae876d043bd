import {
  choice,
  dictionaries,
  directory,
  integer,
  line,
  memoryMb,
  names,
  rotatedSecret,
  url,
  yesOrNo,
} from './config-values.ts'
import { accessKey, storageUrl } from './storage-url.ts'
import type { Variable } from './variable.ts'

/** Settings of the process: where it keeps its data, what it does, and what it logs. */
export const PROCESS_VARIABLES = {
  DATA_DIR: {
    doc: 'Directory of the embedded database and of emails written as files.',
    fallback: './data',
    parse: directory,
  },
  DATABASE_URL: {
    doc: 'A Postgres 15 or newer to use instead of the embedded one.',
    secret: true,
    parse: url('postgres:', 'postgresql:'),
  },
  DATABASE_POOL_SIZE: {
    doc: 'Connections to the database with which one process answers requests and runs jobs; it holds up to 10 more for other purposes. See [Sizes](operating/sizes.md#settings-of-the-database).',
    fallback: '10',
    parse: integer(2, 50),
  },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    doc: 'Milliseconds after which Postgres cancels a statement of a request, which then gets 503.',
    fallback: '2000',
    parse: integer(1_000, 10_000),
  },
  DATABASE_MEMORY_MB: {
    doc: 'Memory in which the embedded database keeps rows and indexes (`shared_buffers`), in MB; at most half of the memory of the machine or container. Without it, an eighth of that memory, from 128 to 1024. Holds from the next start of the embedded database.',
    parse: memoryMb,
  },
  REDIS_URL: {
    doc: 'A Redis or Valkey that several processes use to share rate limits.',
    secret: true,
    parse: url('redis:', 'rediss:'),
  },
  SESSION_SECRET: {
    doc: 'Random secret, at least 32 characters, that signs session tokens and emailed links. Two separated by a comma during [rotation](operating/secrets.md), the new one first.',
    secret: true,
    required: true,
    parse: rotatedSecret,
  },
  STORAGE_PATH: { doc: 'Directory of uploaded files.', fallback: '/data/uploads', parse: directory },
  STORAGE_URL: {
    doc: 'Where uploaded files are kept, in place of `STORAGE_PATH`: a bucket, `s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1`, or a directory, `file:///srv/uploads`; see [Storage of files](operating/storage.md).',
    parse: storageUrl,
  },
  AWS_ACCESS_KEY_ID: { doc: 'Access key for the bucket of `STORAGE_URL`.', parse: accessKey },
  AWS_SECRET_ACCESS_KEY: { doc: 'Secret of that access key.', secret: true, parse: line(1_000) },
  AWS_SESSION_TOKEN: { doc: 'Session token, if the access key is a temporary one.', secret: true, parse: line(4_096) },
  STORAGE_ENCRYPTION: {
    doc: 'Encryption that the bucket is asked for with each file: `AES256` or `aws:kms`; if unset, the default of the bucket.',
    parse: choice('AES256', 'aws:kms'),
  },
  STORAGE_KMS_KEY_ID: {
    doc: 'Key of the key service with `STORAGE_ENCRYPTION=aws:kms`; if unset, its default.',
    parse: line(2_048),
  },
  SORTIE_ROLE: {
    doc: 'Role of this server: `api` answers requests, `worker` runs jobs, `all` does both.',
    fallback: 'all',
    parse: choice('api', 'worker', 'all'),
  },
  SORTIE_JOBS: {
    doc: 'Kinds of jobs that this server runs, separated by commas, such as `remove-engagement`; if unset, all. Kinds that no server runs stay queued.',
    parse: names,
  },
  SAFE_MODE: {
    doc: 'With `true`, the instance is in safe mode: no scans, API requests or mail leave it, and `go-live` does not change that; see [Safe mode](operating/database/safe-mode.md#safe-mode).',
    fallback: 'false',
    parse: yesOrNo,
  },
  SHUTDOWN_DELAY_SECONDS: {
    doc: 'Seconds for which a stopping server still accepts requests while `/api/health` answers 503, so that load balancers drain it first.',
    fallback: '0',
    parse: integer(0, 300),
  },
  SPELLING_DICTIONARIES: {
    doc: 'Directory with Hunspell dictionaries, such as `/usr/share/hunspell`, with which the spelling of reports in other languages than English is checked; see [Spelling](operating/scale/limits.md#spelling).',
    parse: dictionaries,
  },
  LOG_LEVEL: {
    doc: 'Lowest level that is logged.',
    fallback: 'info',
    parse: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  ACCESS_LOG: {
    doc: 'With `true`, every request with a key is logged at `info`; with `false`, successful reads are logged at `debug`.',
    fallback: 'true',
    parse: yesOrNo,
  },
  LOG_SLOW_MS: {
    doc: 'Requests and database statements that take this long or longer, in milliseconds, are logged at `warn`; `0` for none.',
    fallback: '1000',
    parse: integer(0, 3_600_000),
  },
} as const satisfies Record<string, Variable<unknown>>
