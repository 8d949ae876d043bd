import type { Output } from '@sortie/client/calls.ts'

export type StoredRender = Output<'listReportRenders'>['data'][number]

export const isUnderWay = ({ state }: StoredRender): boolean => state === 'queued' || state === 'running'
