/** Folders that contain features of one layer. */
export const GROUPS = ['auth', 'organizations']

/** `server/src/features/auth/sessions/x.ts` → `auth/sessions`; `server/src/features/wiki/text/x.ts` → `wiki`. */
export const folderOf = (file: string): string | undefined => {
  const [, group, inner] = /^server\/src\/features\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
  return group !== undefined && inner !== undefined && GROUPS.includes(group) ? `${group}/${inner}` : group
}
