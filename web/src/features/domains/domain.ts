import type { Output } from '@sortie/client/calls.ts'

export type Domain = Output<'listDomains'>['data'][number]
