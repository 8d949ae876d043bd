import { Anchor } from '@mantine/core'
import { linkTo } from '../../../api/api.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import type { StoredFile } from './stored-file.ts'

/** Downloads the file under its name; its content never executes in this page. */
export const DownloadLink = ({ file, children = file.fileName }: { file: StoredFile; children?: string }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const href = linkTo(organization.id, 'downloadFile', { params: { engagementId: engagement.id, fileId: file.id } })
  return (
    <Anchor href={href} download={file.fileName} inherit underline="hover">
      {children}
    </Anchor>
  )
}
