export const tasksPaths = {
  myTasks: (slug: string) => `/o/${slug}/tasks`,
  /** Address of a task by id only; leads into its engagement. */
  task: (slug: string, taskId: string) => `/o/${slug}/tasks/${taskId}`,
  engagementTask: (slug: string, engagementId: string, taskId: string) =>
    `/o/${slug}/engagements/${engagementId}/tasks/${taskId}`,
  engagementTasks: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/tasks`,
  engagementCoverage: (slug: string, engagementId: string) => `/o/${slug}/engagements/${engagementId}/coverage`,
} as const
