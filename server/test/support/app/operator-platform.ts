import type { Writer } from '../../../src/platform/context.ts'
import { plainChange } from '../../../src/platform/database/change.ts'
import type { TestApp } from './test-app.ts'

/** The app's platform as the operator's command has it: its rights cannot be revoked. */
export const operatorOf = ({ platform }: TestApp): Writer => ({ ...platform, change: plainChange(platform.db) })
