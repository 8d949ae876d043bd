import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call, linkTo, query } from '../../../api/api.ts'
import { TextEditor } from '../../../forms/texts/TextEditor.tsx'
import { type StoredTexts, useAutosave } from '../../../forms/texts/use-autosave.ts'
import { findNameable } from '../../../shell/texts/find-nameable.ts'
import { uploadIntoText } from '../../../shell/texts/upload-into-text.ts'
import type { OpenEditor } from '../../../ui/text-editor/code-editor.ts'
import { WikiText } from '../page/WikiText.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'

const SECTIONS = [{ name: 'body', label: 'Text of the page' }] as const
const NAMES = ['body'] as const

const storedOf = ({ revision, body, updatedBy, trashedAt }: WikiPage): StoredTexts<'body'> => ({
  revision,
  texts: { body },
  by: updatedBy?.name,
  isTrashed: trashedAt !== null,
})

/** Edits the text of a page. */
export const PageEditor = ({ page, isWritable }: { page: WikiPage; isWritable: boolean }) => {
  const { organizationId, addressOf } = useWiki()
  const cache = useQueryClient()
  const editors = useRef(new Map<'body', OpenEditor>())
  const params = { pageId: page.id }
  const autosave = useAutosave({
    of: `wiki/${page.id}`,
    sections: NAMES,
    stored: storedOf(page),
    save: async (changed, baseRevision) => {
      const { data } = await call(
        organizationId,
        'updateWikiPage',
        { params, body: { ...changed, baseRevision } },
        { retries: 0 },
      )
      cache.setQueryData(query(organizationId, 'getWikiPage', { params }).queryKey, { data })
      return storedOf(data)
    },
    read: async () => storedOf((await call(organizationId, 'getWikiPage', { params })).data),
    editors,
  })
  return (
    <TextEditor
      sections={SECTIONS}
      autosave={autosave}
      editors={editors}
      isWritable={isWritable}
      whyNot={
        <>
          {page.trashedAt === null ? 'You can no longer write in this wiki.' : 'This page was moved to the trash.'}{' '}
          Saving is off. What you typed is kept in this browser.
          {page.trashedAt !== null && ' When the page is restored, it is saved.'}
        </>
      }
      linkLabel="Link to a page"
      fileAddress={(fileId) => linkTo(organizationId, 'downloadWikiPageFile', { params: { ...params, fileId } })}
      find={(words) => findNameable(organizationId, page.engagementId, words)}
      upload={(file) => uploadIntoText(organizationId, 'uploadWikiPageFile', params, file)}
      preview={({ body }) => <WikiText page={page} text={body} />}
      doneTo={addressOf(page.id)}
    />
  )
}
