import type { Output } from '@sortie/client/calls.ts'

export type Member = Output<'listMembers'>['data'][number]
