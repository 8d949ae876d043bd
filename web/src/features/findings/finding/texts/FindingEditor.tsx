import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, linkTo, query } from '../../../../api/api.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { TextEditor } from '../../../../forms/texts/TextEditor.tsx'
import { type StoredTexts, useAutosave } from '../../../../forms/texts/use-autosave.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { findNameable } from '../../../../shell/texts/find-nameable.ts'
import { uploadIntoText } from '../../../../shell/texts/upload-into-text.ts'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { Fill } from '../../../../ui/page/Fill.tsx'
import type { OpenEditor } from '../../../../ui/text-editor/code-editor.ts'
import type { Finding } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'
import { Sections, textsOf } from './FindingTexts.tsx'
import { EDITED_SECTIONS, SECTIONS, type Section } from './sections.ts'

const storedOf = (finding: Finding): StoredTexts<Section> => ({
  revision: finding.revision,
  texts: textsOf(finding),
  isTrashed: finding.trashedAt !== null,
})

interface FindingEditorProps {
  finding: Finding
  isWritable: boolean
  doneTo: string
}

/** Edits the five texts of a finding next to their preview. */
export const FindingEditor = ({ finding, isWritable, doneTo }: FindingEditorProps) => {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const editors = useRef(new Map<Section, OpenEditor>())
  const params = { findingId: finding.id }
  const autosave = useAutosave({
    of: `finding/${finding.id}`,
    sections: SECTIONS,
    stored: storedOf(finding),
    save: async (changed, baseRevision) => {
      const { data, meta } = await call(
        organizationId,
        'updateFinding',
        { params, body: { ...changed, baseRevision } },
        { retries: 0 },
      )
      cache.setQueryData(query(organizationId, 'getFinding', { params }).queryKey, { data })
      for (const queryKey of staleFindingReads(organizationId))
        if (queryKey[1] !== 'getFinding') void cache.invalidateQueries({ queryKey })
      reportReturn(meta)
      return storedOf(data)
    },
    read: async () => storedOf((await call(organizationId, 'getFinding', { params })).data),
    editors,
  })
  return (
    <Fill>
      <TextEditor
        sections={EDITED_SECTIONS}
        autosave={autosave}
        editors={editors}
        isWritable={isWritable}
        whyNot={
          <>
            {finding.trashedAt === null ? 'This engagement is archived.' : 'This finding was moved to the trash.'}{' '}
            Saving is off. What you typed is kept in this browser.
          </>
        }
        linkLabel="Link to an object"
        find={(words) => findNameable(organizationId, undefined, words)}
        fileAddress={(fileId) => linkTo(organizationId, 'downloadFindingFile', { params: { ...params, fileId } })}
        upload={(file) => uploadIntoText(organizationId, 'uploadFindingFile', params, file)}
        preview={(texts) =>
          SECTIONS.every((section) => texts[section] === '') ? (
            <EmptyState title="Nothing to show yet">The preview shows the texts as you type them.</EmptyState>
          ) : (
            <Sections finding={finding} texts={texts} />
          )
        }
        isPreviewedAtFirst
        doneTo={doneTo}
      />
    </Fill>
  )
}
