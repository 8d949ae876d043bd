import type { Output } from '@sortie/client/calls.ts'

export type Settings = Output<'getOrganization'>['data']['settings']
export type Overview = Output<'getSecurityOverview'>['data']
