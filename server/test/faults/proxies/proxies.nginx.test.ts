import { describeProxy } from './proxy-guarantees.ts'

describeProxy('nginx')
