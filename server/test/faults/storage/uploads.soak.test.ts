import { afterEach, test } from 'vitest'
import { createStage } from '../../support/app/server-process.ts'
import { expectWholeFiles } from './upload-kills.ts'

const stage = createStage()
afterEach(() => stage.close())

test('U7: after kills at 20 points of an upload every row has its complete file, acknowledged ones exist, and after the cleaning every file has its row', () =>
  expectWholeFiles(stage, 20))
