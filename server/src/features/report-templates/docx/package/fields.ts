/**
 * Fields that only show what the document itself, its reader or the clock says. Others run a program, read a file or
 * ask a server (DDE, DDEAUTO, INCLUDETEXT, INCLUDEPICTURE, LINK, DATABASE, MACROBUTTON, RD ...).
 */
const HARMLESS = new Set(
  (
    'ADVANCE AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT BIBLIOGRAPHY CITATION COMMENTS COMPARE CREATEDATE DATE DOCPROPERTY ' +
    'DOCVARIABLE EDITTIME EQ FILENAME FILESIZE FORMCHECKBOX FORMDROPDOWN FORMTEXT HYPERLINK IF INDEX INFO KEYWORDS ' +
    'LASTSAVEDBY LISTNUM NOTEREF NUMCHARS NUMPAGES NUMWORDS PAGE PAGEREF PRINTDATE QUOTE REF REVNUM SAVEDATE SECTION ' +
    'SECTIONPAGES SEQ SET STYLEREF SUBJECT SYMBOL TA TC TIME TITLE TOA TOC USERADDRESS USERINITIALS USERNAME XE'
  ).split(' '),
)

/** The first word of a field; empty if another field makes it. */
const kindOf = (code: string): string => {
  const words = code.trim().split(/\s/, 1)
  return (words[0] ?? '').toUpperCase()
}

/** @returns the kind of a field that may not be in a template; undefined for a harmless one */
export const refusedField = (code: string): string | undefined => {
  const kind = kindOf(code)
  if (HARMLESS.has(kind) || kind.startsWith('=')) return undefined
  return kind || 'nested'
}

/** Collects the codes of fields, which may be spread over several runs and contain each other. */
export const fieldReader = (found: (code: string) => void) => {
  const open: { code: string; isResult: boolean }[] = []
  return {
    mark(type: string | undefined) {
      const top = open.at(-1)
      if (type === 'begin') open.push({ code: '', isResult: false })
      else if (type === 'separate' && top) top.isResult = true
      else if (type === 'end' && top) {
        open.pop()
        found(top.code)
      }
    },
    text(text: string) {
      const top = open.at(-1)
      // An instruction outside of a field is text for Word as well, but other programs may read it differently.
      if (!top) found(text)
      else if (!top.isResult) top.code += text
    },
    /** A field that never ends. */
    end() {
      for (const { code } of open) found(code)
    },
  }
}
