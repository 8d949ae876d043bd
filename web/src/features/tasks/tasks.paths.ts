export const tasksPaths = {
  myTasks: (slug: string) => `/o/${slug}/tasks`,
  task: (slug: string, taskId: string) => `/o/${slug}/tasks/${taskId}`,
  engagementTasks: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/tasks`,
  engagementCoverage: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/coverage`,
} as const
