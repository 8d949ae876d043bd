import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/api.ts'
import { readAll } from '../../../api/read-all.ts'
import { type RequestFolder, type RequestSummary, usePlace } from '../place.tsx'

/** All requests and folders of the engagement or library: 2,000 at most. */
export const useSaved = () => {
  const { organizationId, placeQuery } = usePlace()
  return savedIn(organizationId, placeQuery)
}

/** All shared requests and folders of the organization. */
export const useLibrary = () => savedIn(usePlace().organizationId, { organization: true })

const savedIn = (organizationId: string, placeQuery: { organization: true } | { engagementId: string }) => {
  return {
    folders: queryOptions({
      queryKey: [organizationId, 'listRequestFolders', { query: placeQuery }, 'all'],
      queryFn: ({ signal }) =>
        readAll((window) =>
          call(organizationId, 'listRequestFolders', { query: { ...placeQuery, ...window } }, { signal }),
        ),
    }),
    requests: queryOptions({
      queryKey: [organizationId, 'listApiRequests', { query: placeQuery }, 'all'],
      queryFn: ({ signal }) =>
        readAll((window) =>
          call(organizationId, 'listApiRequests', { query: { ...placeQuery, ...window } }, { signal }),
        ),
    }),
  }
}

/** A folder with its content. */
export interface Branch {
  folder: RequestFolder
  branches: Branch[]
  requests: RequestSummary[]
}

const byPosition = (a: { position: string }, b: { position: string }): number =>
  a.position < b.position ? -1 : a.position > b.position ? 1 : 0

/** Requests of one folder in order; null is the top level. */
export const requestsIn = (requests: readonly RequestSummary[], folderId: string | null): RequestSummary[] =>
  requests.filter((request) => request.folderId === folderId).toSorted(byPosition)

/** Tree of folders. Omits the content of folders that were deleted since. */
export const branchesOf = (
  folders: readonly RequestFolder[],
  requests: readonly RequestSummary[],
  parentId: string | null = null,
): Branch[] =>
  folders
    .filter((folder) => folder.parentId === parentId)
    .toSorted(byPosition)
    .map((folder) => ({
      folder,
      branches: branchesOf(folders, requests, folder.id),
      requests: requestsIn(requests, folder.id),
    }))

/** Counts the requests in a folder and in the folders in it. */
export const countBelow = (
  folders: readonly RequestFolder[],
  requests: readonly RequestSummary[],
  folderId: string,
): number =>
  requestsIn(requests, folderId).length +
  folders
    .filter(({ parentId }) => parentId === folderId)
    .reduce((sum, { id }) => sum + countBelow(folders, requests, id), 0)

/** Folder options with their path: `Users / Sign-in`. */
export const folderOptions = (
  folders: readonly RequestFolder[],
  without?: string,
): { value: string; label: string }[] => {
  const options: { value: string; label: string }[] = []
  const add = (branches: readonly Branch[], above: string) => {
    for (const { folder, branches: below } of branches) {
      if (folder.id === without) continue
      options.push({ value: folder.id, label: above + folder.name })
      add(below, `${above}${folder.name} / `)
    }
  }
  add(branchesOf(folders, []), '')
  return options
}
