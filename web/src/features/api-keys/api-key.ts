import type { Output } from '@sortie/client/calls.ts'

export type ApiKey = Output<'listApiKeys'>['data'][number]
