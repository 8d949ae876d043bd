export const reportTemplatesPaths = {
  reportTemplates: (slug: string) => `/o/${slug}/settings/report-templates`,
  reportTemplate: (slug: string, templateId: string) => `/o/${slug}/settings/report-templates/${templateId}`,
} as const
