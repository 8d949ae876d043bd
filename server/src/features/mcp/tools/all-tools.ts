import { ENGAGEMENT_TOOLS } from './engagement-tools.ts'
import { FINDING_TOOLS } from './finding-tools.ts'
import { INVENTORY_TOOLS } from './inventory-tools.ts'
import { REQUEST_TOOLS } from './request-tools.ts'
import { TASK_TOOLS } from './task-tools.ts'
import type { Tool } from './tool.ts'
import { WIKI_TOOLS } from './wiki-tools.ts'

/**
 * Every tool, in the order in which clients see them. Members, keys, scope rules, webhooks, deletion and delivery are
 * not here on purpose: no prompt that a target wrote can reach them.
 */
export const TOOLS: readonly Tool[] = [
  ...ENGAGEMENT_TOOLS,
  ...INVENTORY_TOOLS,
  ...TASK_TOOLS,
  ...WIKI_TOOLS,
  ...REQUEST_TOOLS,
  ...FINDING_TOOLS,
]
