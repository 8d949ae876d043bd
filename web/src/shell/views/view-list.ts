import type { VIEW_LISTS } from '@sortie/contract/views.ts'

export type ViewList = (typeof VIEW_LISTS)[number]
