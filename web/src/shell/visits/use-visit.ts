import { useEffect } from 'react'
import { call, reportFailure } from '../../api/api.ts'
import { useOrganization } from '../context/organization.tsx'

/** Records that the user opened an object, for “Recently visited”. */
export const useVisit = (objectId: string): void => {
  const { id } = useOrganization()
  useEffect(() => {
    void call(id, 'recordVisit', { body: { objectId } }, { retries: 0 }).catch(reportFailure)
  }, [id, objectId])
}
