import { Typography } from '@mantine/core'
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import ReactMarkdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { ErrorBoundary } from '../feedback/ErrorBoundary.tsx'
import { isTooComplex, requireFewNodes } from './bounded-text.ts'
import { HighlightedCode } from './code/HighlightedCode.tsx'
import { linkNotes } from './footnote-links.ts'
import { layOut, type PartNotes, type TextPart } from './footnotes.ts'
import classes from './Markdown.module.css'
import { bracketsOf, readReferences } from './references.ts'

/**
 * Renders untrusted Markdown: only safe elements and URLs, no external images. No HTML: text that looks like a tag,
 * such as `<target>`, is shown as text.
 */
export const Markdown = ({ text, references }: MarkdownProps) => {
  const id = useId()
  const parts = useMemo(() => layOut(text), [text])
  const [shown, setShown] = useState(FIRST_PARTS)
  useEffect(() => {
    if (shown >= parts.length) return undefined
    const timer = window.setTimeout(() => setShown(shown + 1), NEXT_PART_MS)
    return () => window.clearTimeout(timer)
  }, [shown, parts.length])
  return parts.slice(0, shown).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts have no id
    <ErrorBoundary key={index} resetKey={part.text} fallback={<AsWritten text={part.text} />}>
      <Part {...part} id={id} {...(references && { references })} />
    </ErrorBoundary>
  ))
}

interface MarkdownProps {
  text: string
  references?: References
}

/**
 * Number of parts rendered immediately; the rest of a long text follows part by part, so that the page stays
 * responsive.
 */
const FIRST_PARTS = 1
const NEXT_PART_MS = 30

/** For text that is too deeply nested, or has too many nodes, to render. */
const AsWritten = ({ text }: { text: string }) => (
  <div className={classes.markdown}>
    <p className={classes.asWritten}>This text is too complex to format, so it is shown as plain text.</p>
    <pre className={classes.written}>{text}</pre>
  </div>
)

/** Rendered once, and not again when other parts follow. */
const Part = memo(({ text, notes, id, references }: TextPart & { id: string; references?: References }) => {
  const surroundings = useMemo(() => ({ id, references }), [id, references])
  const isShownAsWritten = useMemo(() => isTooComplex(text), [text])
  const rehypePlugins = useMemo((): Plugins => [[rehypeSanitize, { ...defaultSchema, clobberPrefix: `${id}-` }]], [id])
  const remarkPlugins = useMemo((): Plugins => {
    const plugins = references ? WITH_REFERENCES : REMARK_PLUGINS
    return notes === undefined ? plugins : [...plugins, linkNotes(JSON.parse(notes) as PartNotes) as never]
  }, [notes, references])
  if (isShownAsWritten) return <AsWritten text={text} />
  return (
    <Typography className={classes.markdown}>
      <Surroundings value={surroundings}>
        <ReactMarkdown
          remarkPlugins={remarkPlugins}
          remarkRehypeOptions={REMARK_REHYPE_OPTIONS}
          rehypePlugins={rehypePlugins}
          components={COMPONENTS}
        >
          {text}
        </ReactMarkdown>
      </Surroundings>
    </Typography>
  )
})

/** Only the sanitiser prefixes the ids of a text. */
const REMARK_REHYPE_OPTIONS = { clobberPrefix: '' }

interface Surrounded {
  /** Id prefix of this text: several texts on a page can have a first footnote. */
  id: string
  references: References | undefined
}

const Surroundings = createContext<Surrounded>({ id: '', references: undefined })
const WithinLink = createContext(false)

const TextLink = ({ node: _, href, children, ...props }: ComponentProps<'a'> & ExtraProps) => {
  const { id, references } = useContext(Surroundings)
  const target = references && href !== undefined && referenceOf(href)
  if (references && target && target.startsWith('!')) {
    const embedded = target.slice(1)
    return references.embed?.(embedded) ?? <>!{references.link(embedded, textOf(children).slice(1))}</>
  }
  if (target) return references.link(target, textOf(children))
  if (href !== undefined && FOOTNOTE.test(href)) {
    const goal = `${id}-${href.slice(1)}`
    return (
      <a {...props} href={`#${goal}`} onClick={(event) => jump(event, goal)}>
        {children}
      </a>
    )
  }
  const file = references && href !== undefined && FILE_ID.test(href) ? references.file(href) : undefined
  return (
    <a href={file ?? href} {...ELSEWHERE}>
      <WithinLink value={true}>{children}</WithinLink>
    </a>
  )
}

const ELSEWHERE = { target: '_blank', rel: 'noopener noreferrer nofollow' } as const

/** Without a history entry and without the unsaved-changes question: the page stays. */
const jump = (event: MouseEvent, id: string): void => {
  const goal = document.getElementById(id)
  if (!goal) return
  event.preventDefault()
  // A footnote is not focusable by default.
  if (goal.tabIndex < 0) goal.tabIndex = -1
  goal.scrollIntoView({ block: 'center' })
  goal.focus({ preventScroll: true })
}

/** External images are not loaded: the request would reveal the reader to the image's host. */
const Picture = ({ alt, src }: ComponentProps<'img'>) => {
  const { references } = useContext(Surroundings)
  const isWithinLink = useContext(WithinLink)
  if (references && src !== undefined && FILE_ID.test(src)) {
    const picture = <img src={references.file(src)} alt={alt ?? ''} loading="lazy" />
    if (!references.hasFigures || !alt || isWithinLink) return picture
    return (
      <span className={classes.figure} role="figure" aria-label={alt}>
        {picture}
        <span className={classes.caption}>{alt}</span>
      </span>
    )
  }
  const label = `[image: ${alt || src}]`
  if (isWithinLink || src === undefined || !REMOTE.test(src)) return <span className={classes.image}>{label}</span>
  return (
    <a href={src} {...ELSEWHERE}>
      {label}
    </a>
  )
}

const Code = ({ className, children }: ComponentProps<'code'>) => {
  const language = /(?:^| )language-(\S+)/.exec(className ?? '')?.[1]
  if (language === undefined) return <code>{children}</code>
  return (
    <HighlightedCode code={textOf(children)} language={language}>
      {children}
    </HighlightedCode>
  )
}

/** Wide code scrolls, and must therefore be focusable by keyboard. */
const Block = ({ children }: ComponentProps<'pre'>) => {
  const [isWide, setWide] = useState(false)
  const measure = useCallback(
    (block: HTMLPreElement | null) => setWide(block !== null && block.scrollWidth > block.clientWidth),
    [],
  )
  return (
    <pre ref={measure} {...(isWide && { tabIndex: 0 })}>
      {children}
    </pre>
  )
}

const COMPONENTS: Components = {
  a: TextLink,
  code: Code,
  h1: ({ children }) => <h2>{children}</h2>,
  img: Picture,
  pre: Block,
  input: ({ checked }) => (
    <span aria-label={checked ? 'done' : 'open'} role="img">
      {checked ? '☑' : '☐'}{' '}
    </span>
  ),
}

type Plugins = NonNullable<ComponentProps<typeof ReactMarkdown>['remarkPlugins']>

/** Disables HTML in the Markdown parser. Otherwise its tags would be dropped later, and the text in them with it. */
function htmlIsText(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['htmlFlow', 'htmlText'] } }]
}

function referencesAreLinks(this: { data: () => object }) {
  return readReferences(this.data())
}

/** References other than URLs. */
export interface References {
  /** `[[Title]]`, `[[wik_...]]`, `[label](wik_...)` */
  link: (reference: string, label: string) => ReactNode
  /** URL of an attached file: images are inline. */
  file: (fileId: string) => string
  /** Pictures with a caption are figures, numbered within the nearest element with the class `figures`. */
  hasFigures?: boolean
  /** `![[run_...]]`; absent: a link. */
  embed?: (reference: string) => ReactNode
}

const FILE_ID = /^fil_[0-9a-z]{26}$/
const FOOTNOTE = /^#fn(?:ref)?-/
const REMOTE = /^https?:\/\//i
const OBJECT_ID = /^(?:wik|tgt|res|tsk|req|fnd|rpt)_[0-9a-z]{26}$/

const referenceOf = (href: string): string | undefined => (OBJECT_ID.test(href) ? href : bracketsOf(href))

const textOf = (children: ReactNode): string =>
  Array.isArray(children) ? children.map(textOf).join('') : typeof children === 'string' ? children : ''

/** A single tilde does not strike through text, because paths start with it. */
const REMARK_PLUGINS: Plugins = [[remarkGfm, { singleTilde: false }], htmlIsText, requireFewNodes as never]
const WITH_REFERENCES: Plugins = [...REMARK_PLUGINS, referencesAreLinks as never]
