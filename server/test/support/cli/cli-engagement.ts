import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { TestApp } from '../app/test-app.ts'
import type { TestClient } from '../app/test-client.ts'
import { type Cli, downloadCli } from './cli-process.ts'

/** A tester's machine: signed in, in an engagement with these rules. */
export interface Tester {
  cli: Cli
  key: TestClient & { value: string; keyId: string }
  engagementId: string
  /** Adds a program to the path of this machine: a shell script. @returns the environment to run it */
  program(name: string, script: string): Record<string, string>
  /** Entries of the operation log, oldest first. */
  operations(): Promise<LoggedOperation[]>
}

interface LoggedOperation {
  id: string
  kind: string
  address: string | null
  host: string | null
  port: number | null
  protocol: string | null
  startedAt: string
  endedAt: string | null
  sourceAddress: string | null
  by: { id: string; name: string } | null
  note: string | null
  command: string | null
  exitCode: number | null
  overrideReason: string | null
}

type Rules = Readonly<Record<string, 'allow' | 'deny' | 'caution'>>

export const createTester = async (
  app: TestApp,
  rules: Rules,
  details: object = {},
  address = app.origin,
): Promise<Tester> => {
  const key = await app.withKey(['organizations:read', 'organizations:write', 'targets:read', 'targets:write'])
  const created = await key.post('/api/v1/engagements', { name: 'Perimeter', details })
  expect(created.status, created.text).toBe(201)
  const engagementId: string = created.body.data.id
  for (const [pattern, effect] of Object.entries(rules)) {
    const { status, text } = await key.post('/api/v1/scope-rules', { engagementId, effect, pattern })
    expect(status, text).toBe(201)
  }
  const cli = await downloadCli(app)
  expect(await cli.run(['login', address, '--key'], { input: key.value })).toMatchObject({ code: 0 })
  expect(await cli.run(['use', engagementId])).toMatchObject({ code: 0 })
  return {
    cli,
    key,
    engagementId,
    program: (name, script) => {
      const directory = path.join(cli.home, 'bin')
      mkdirSync(directory, { recursive: true })
      writeFileSync(path.join(directory, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
      return { PATH: `${directory}:${process.env['PATH'] ?? ''}` }
    },
    operations: async () => {
      const { status, body, text } = await key.get(
        `/api/v1/operations?engagementId=${engagementId}&sort=startedAt&order=asc&perPage=100`,
      )
      expect(status, text).toBe(200)
      return body.data
    },
  }
}
