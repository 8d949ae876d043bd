import { describeProxy } from './proxy-guarantees.ts'

describeProxy('caddy')
