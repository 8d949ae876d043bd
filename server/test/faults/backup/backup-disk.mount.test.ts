import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { nightly } from '../../support/app/nightly.ts'
import { sortie } from '../../support/app/operator.ts'
import { createStage } from '../../support/app/server-process.ts'
import { signInAsOwner, withNewKey } from '../../support/clients/server-clients.ts'
import { mountSmallDisk } from '../../support/database/small-disk.ts'
import { filesOf, newEngagement, upload } from '../../support/document/files.ts'

const stage = createStage()
afterAll(() => stage.close())

nightly(
  'O1: a backup for which the disk has no space fails, says so and leaves nothing; one that has space is whole',
  async () => {
    const server = await stage.server()
    await server.ready()
    const key = await withNewKey(await signInAsOwner(server.origin))
    expect((await upload(key, filesOf(await newEngagement(key)), randomBytes(3_000_000))).status).toBe(201)
    const disk = mountSmallDisk(stage, 8)
    const target = path.join(disk.directory, 'backup')
    disk.fill()
    for (const form of [['--portable'], []]) {
      expect(await sortie(['backup', target, ...form], server.dataDir)).toMatchObject({
        code: 78,
        out: '',
        err: expect.stringMatching(/^sortie: there is no space left: .*\n$/),
      })
      expect(readdirSync(disk.directory)).toEqual(['filler'])
    }
    disk.empty()
    expect(await sortie(['backup', target, '--portable'], server.dataDir)).toMatchObject({ code: 0 })
    expect(await sortie(['verify', target], server.dataDir)).toMatchObject({ code: 0 })
    // Full while it is written.
    expect(await sortie(['backup', `${target}2`, '--portable'], server.dataDir)).toMatchObject({ code: 0 })
    expect(await sortie(['backup', `${target}3`, '--portable'], server.dataDir)).toMatchObject({
      code: 78,
      err: expect.stringContaining('there is no space left'),
    })
    expect(readdirSync(disk.directory).toSorted()).toEqual(['backup', 'backup2'])
  },
)
