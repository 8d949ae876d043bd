import type { Feature } from '../../platform/feature.ts'
import { createWordThreads } from './check/word-threads.ts'
import { reportTemplateRoutes, type TemplateTools } from './report-templates.routes.ts'

/** @param tools of the features above: reports and renders */
export const reportTemplates = (tools: TemplateTools): Feature => ({
  name: 'report-templates',
  routes: () => reportTemplateRoutes(tools, createWordThreads()),
})
