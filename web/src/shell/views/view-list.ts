import type { VIEW_LISTS } from '@sortie/contract/core/views.ts'

export type ViewList = (typeof VIEW_LISTS)[number]
