import { afterAll, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { createStorages, STORAGES } from '../../support/storage/storages.ts'
import { expectWholeFiles } from './upload-kills.ts'

const stage = createStage()
afterAll(() => stage.close())
const open = createStorages(stage)

test.each(STORAGES)(
  'U7: in %s, after kills at 20 points of an upload, every row has its complete file, acknowledged ones exist, and after the cleaning every file has its row',
  async (name) => expectWholeFiles(stage, await open(name), 20),
)
