import type { Output } from '@sortie/client/calls.ts'

export type StoredFile = Output<'listFiles'>['data'][number]
