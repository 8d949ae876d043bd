import { Typography } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

/**
 * Markdown that anybody wrote: only harmless elements and addresses, no image from elsewhere. It has no HTML of its own: what
 * looks like some, as `<target>` does, is text and is shown.
 */
export const Markdown = ({ text, references }: { text: string; references?: References }) => (
  <Typography className={classes.markdown}>
    <ReactMarkdown
      remarkPlugins={references ? WITH_REFERENCES : REMARK_PLUGINS}
      rehypePlugins={[rehypeSanitize]}
      components={{
        a: ({ href, children }) => {
          const target = references && href !== undefined && referenceOf(href)
          if (target) return references.link(target, textOf(children))
          const file = references && href !== undefined && FILE_ID.test(href) ? references.file(href) : undefined
          return (
            <a href={file ?? href} target="_blank" rel="noopener noreferrer nofollow">
              {children}
            </a>
          )
        },
        h1: ({ children }) => <h2>{children}</h2>,
        img: ({ alt, src }) =>
          references && typeof src === 'string' && FILE_ID.test(src) ? (
            <img src={references.file(src)} alt={alt ?? ''} loading="lazy" />
          ) : (
            <span className={classes.image}>[image: {alt || src}]</span>
          ),
        input: ({ checked }) => (
          <span aria-label={checked ? 'done' : 'open'} role="img">
            {checked ? '☑' : '☐'}{' '}
          </span>
        ),
      }}
    >
      {text}
    </ReactMarkdown>
  </Typography>
)

type Plugins = NonNullable<ComponentProps<typeof ReactMarkdown>['remarkPlugins']>

/** Switches HTML off where Markdown is read. Left on, its tags would be dropped afterwards, and with them what people wrote. */
function htmlIsText(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['htmlFlow', 'htmlText'] } }]
}

/** What a text can refer to beside addresses. */
export interface References {
  /** `[[Title]]`, `[[wik_...]]`, `[label](wik_...)` */
  link: (reference: string, label: string) => ReactNode
  /** Address of a file that hangs on the text's object: pictures are shown in place. */
  file: (fileId: string) => string
}

const FILE_ID = /^fil_[0-9a-z]{26}$/
const OBJECT_ID = /^(?:wik|tgt|res|tsk|req)_[0-9a-z]{26}$/
/** Marks an address that was written as `[[...]]`; a fragment passes the sanitiser. */
const MARK = '#reference='

const referenceOf = (href: string): string | undefined => {
  if (OBJECT_ID.test(href)) return href
  return href.startsWith(MARK) ? decodeURIComponent(href.slice(MARK.length)) : undefined
}

const textOf = (children: ReactNode): string => (Array.isArray(children) ? children.map(textOf).join('') : typeof children === 'string' ? children : '')

interface TreeNode {
  type: string
  value?: string
  url?: string
  children?: TreeNode[]
}

const BRACKETS = /\[\[([^[\]\n]{1,400})\]\]/g

/** Makes links of `[[...]]` where it stands in text: code has no text inside. */
const linkReferences =
  () =>
  (tree: TreeNode): void => {
    const waiting = [tree]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (!node.children || node.type === 'link') continue
      node.children = node.children.flatMap((child) => (child.type === 'text' ? splitText(child.value ?? '') : [child]))
      waiting.push(...node.children)
    }
  }

const splitText = (text: string): TreeNode[] => {
  const nodes: TreeNode[] = []
  let at = 0
  for (const match of text.matchAll(BRACKETS)) {
    const target = (match[1] as string).trim()
    if (target === '') continue
    if (match.index > at) nodes.push({ type: 'text', value: text.slice(at, match.index) })
    nodes.push({ type: 'link', url: `${MARK}${encodeURIComponent(target)}`, children: [{ type: 'text', value: target }] })
    at = match.index + match[0].length
  }
  if (at < text.length) nodes.push({ type: 'text', value: text.slice(at) })
  return nodes
}

/** One tilde strikes nothing out: it begins paths. */
const REMARK_PLUGINS: Plugins = [[remarkGfm, { singleTilde: false }], htmlIsText]
const WITH_REFERENCES: Plugins = [...REMARK_PLUGINS, linkReferences as never]
