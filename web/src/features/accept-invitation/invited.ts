import type { Output } from '@sortie/client/calls.ts'

export type Invited = Output<'inspectInvitation'>['data']
