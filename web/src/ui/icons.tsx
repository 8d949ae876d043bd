/*! Icons of Tabler Icons 3.51 (https://tabler.io/icons): MIT License, copyright (c) 2020-2026 Paweł Kuna; see icons.LICENSE. */
import type { SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'width' | 'height' | 'stroke'> {
  /** Width and height in pixels; 24 by default. */
  size?: number
  /** Width of the lines in units of a 24 by 24 drawing; 2 by default. */
  stroke?: number
}

export type Icon = (props: IconProps) => React.ReactElement

/** An icon of lines. To add one, copy the `d` of each path of the icon from tabler.io/icons, one after the other. */
export const outline = (path: string): Icon =>
  function OutlineIcon({ size = 24, stroke = 2, ...rest }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={stroke}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...rest}
      >
        <path d={path} />
      </svg>
    )
  }

export const filled = (path: string): Icon =>
  function FilledIcon({ size = 24, stroke: _, ...rest }) {
    return (
      <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" {...rest}>
        <path d={path} />
      </svg>
    )
  }

export const IconAdjustmentsHorizontal = /* @__PURE__ */ outline(
  'M12 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M4 6h8M16 6h4M6 12a2 2 0 1 0 4 0a2 2 0 1 0-4 0M4 12h2M10 12h10M15 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0M4 18h11M19 18h1',
)
export const IconArrowLeft = /* @__PURE__ */ outline('M5 12h14M5 12l6 6M5 12l6-6')
export const IconArrowsExchange = /* @__PURE__ */ outline('M7 10h14l-4 -4M17 14h-14l4 4')
export const IconArrowUp = /* @__PURE__ */ outline('M12 5v14M18 11l-6-6M6 11l6-6')
export const IconBell = /* @__PURE__ */ outline(
  'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1',
)
export const IconBook = /* @__PURE__ */ outline(
  'M3 19a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6a9 9 0 0 1 9 0a9 9 0 0 1 9 0M3 6v13M12 6v13M21 6v13',
)
export const IconBooks = /* @__PURE__ */ outline(
  'M5 5a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1zM9 5a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1zM5 8h4M9 16h4M13.803 4.56l2.184-.53c.562-.135 1.133.19 1.282.732l3.695 13.418a1.02 1.02 0 0 1-.634 1.219l-.133.041l-2.184.53c-.562.135-1.133-.19-1.282-.732l-3.695-13.418a1.02 1.02 0 0 1 .634-1.219zM14 9l4-1M16 16l3.923-.98',
)
export const IconBookmark = /* @__PURE__ */ outline('M18 7v14l-6-4l-6 4v-14a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4')
export const IconBroadcast = /* @__PURE__ */ outline(
  'M18.364 19.364a9 9 0 1 0-12.728 0M15.536 16.536a5 5 0 1 0-7.072 0M11 13a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
)
export const IconBuilding = /* @__PURE__ */ outline(
  'M3 21h18M9 8h1M9 12h1M9 16h1M14 8h1M14 12h1M14 16h1M5 21v-16a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16',
)
export const IconChecklist = /* @__PURE__ */ outline(
  'M9.615 20h-2.615a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8M14 19l2 2l4-4M9 8h4M9 12h2',
)
export const IconClipboardText = /* @__PURE__ */ outline(
  'M9 5h-2a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-12a2 2 0 0 0-2-2h-2M9 5a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2a2 2 0 0 1-2 2h-2a2 2 0 0 1-2-2M9 12h6M9 16h6',
)
export const IconCode = /* @__PURE__ */ outline('M7 8l-4 4l4 4M17 8l4 4l-4 4M14 4l-4 16')
export const IconCreditCard = /* @__PURE__ */ outline(
  'M3 8a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-12a3 3 0 0 1-3-3v-8M3 10h18M7 15h.01M11 15h2',
)
export const IconCrown = /* @__PURE__ */ outline('M12 6l4 6l5-4l-2 10h-14l-2-10l5 4l4-6')
export const IconDeviceLaptop = /* @__PURE__ */ outline(
  'M3 19h18M5 7a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-12a1 1 0 0 1-1-1v-8',
)
export const IconDownload = /* @__PURE__ */ outline('M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 11l5 5l5-5M12 4v12')
export const IconFileImport = /* @__PURE__ */ outline(
  'M14 3v4a1 1 0 0 0 1 1h4M5 13v-8a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2h-5.5m-9.5-2h7m-3-3l3 3l-3 3',
)
export const IconFilePlus = /* @__PURE__ */ outline(
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2M12 11v6M9 14h6',
)
export const IconFiles = /* @__PURE__ */ outline(
  'M15 3v4a1 1 0 0 0 1 1h4M18 17h-7a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2h4l5 5v7a2 2 0 0 1-2 2M16 17v2a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2h2',
)
export const IconFileText = /* @__PURE__ */ outline(
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2M9 9h1M9 13h6M9 17h6',
)
export const IconFilter = /* @__PURE__ */ outline(
  'M4 4h16v2.172a2 2 0 0 1-.586 1.414l-4.414 4.414v7l-6 2v-8.5l-4.48-4.928a2 2 0 0 1-.52-1.345v-2.227',
)
export const IconFocus2 = /* @__PURE__ */ outline(
  'M11.5 12a.5 .5 0 1 0 1 0a.5 .5 0 1 0-1 0M5 12a7 7 0 1 0 14 0a7 7 0 1 0-14 0M12 3v2M3 12h2M12 19v2M19 12h2',
)
export const IconGitBranch = /* @__PURE__ */ outline(
  'M5 18a2 2 0 1 0 4 0a2 2 0 1 0-4 0M5 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M15 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M7 8v8M9 18h6a2 2 0 0 0 2-2v-5M14 14l3-3l3 3',
)
export const IconHeartbeat = /* @__PURE__ */ outline(
  'M19.5 13.572l-7.5 7.428l-2.896-2.868m-6.117-8.104a5 5 0 0 1 9.013-3.022a5 5 0 1 1 7.5 6.572M3 13h2l2 3l2-6l1 3h3',
)
export const IconHome = /* @__PURE__ */ outline(
  'M5 12H3l9-9 9 9h-2M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7M9 21v-6a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2v6',
)
export const IconFlag = /* @__PURE__ */ outline(
  'M5 5a5 5 0 0 1 7 0a5 5 0 0 0 7 0v9a5 5 0 0 1-7 0a5 5 0 0 0-7 0v-9M5 21v-7',
)
export const IconHistory = /* @__PURE__ */ outline('M12 8v4l2 2M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5')
export const IconInfoCircle = /* @__PURE__ */ outline('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 9h.01M11 12h1v4h1')
export const IconKey = /* @__PURE__ */ outline(
  'M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1-4.069 0l-.301-.301l-6.558 6.558a2 2 0 0 1-1.239 .578l-.175 .008h-1.172a1 1 0 0 1-.993-.883l-.007-.117v-1.172a2 2 0 0 1 .467-1.284l.119-.13l.414-.414h2v-2h2v-2l2.144-2.144l-.301-.301a2.877 2.877 0 0 1 0-4.069l2.643-2.643a2.877 2.877 0 0 1 4.069 0M15 9h.01',
)
export const IconKeyboard = /* @__PURE__ */ outline(
  'M2 8a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-8M6 10v.01M10 10v.01M14 10v.01M18 10v.01M6 14v.01M18 14v.01M10 14l4 .01',
)
export const IconListCheck = /* @__PURE__ */ outline(
  'M3.5 5.5l1.5 1.5l2.5-2.5M3.5 11.5l1.5 1.5l2.5-2.5M3.5 17.5l1.5 1.5l2.5-2.5M11 6h9M11 12h9M11 18h9',
)
export const IconListDetails = /* @__PURE__ */ outline(
  'M13 5h8M13 9h5M13 15h8M13 19h5M3 5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4M3 15a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4',
)
export const IconListSearch = /* @__PURE__ */ outline(
  'M11 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M18.5 18.5l2.5 2.5M4 6h16M4 12h4M4 18h4',
)
export const IconLock = /* @__PURE__ */ outline(
  'M5 13a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-6M11 16a1 1 0 1 0 2 0a1 1 0 0 0-2 0M8 11v-4a4 4 0 1 1 8 0v4',
)
export const IconMail = /* @__PURE__ */ outline(
  'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-10M3 7l9 6l9-6',
)
export const IconMailForward = /* @__PURE__ */ outline(
  'M12 18h-7a2 2 0 0 1-2-2v-10a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v7.5M3 6l9 6l9-6M15 18h6M18 15l3 3l-3 3',
)
export const IconMenu2 = /* @__PURE__ */ outline('M4 6h16M4 12h16M4 18h16')
export const IconPlus = /* @__PURE__ */ outline('M12 5v14M5 12h14')
export const IconRadar2 = /* @__PURE__ */ outline(
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M15.51 15.56a5 5 0 1 0-3.51 1.44M18.832 17.86a9 9 0 1 0-6.832 3.14M12 12v9',
)
export const IconSearch = /* @__PURE__ */ outline('M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M21 21l-6-6')
export const IconSelector = /* @__PURE__ */ outline('M8 9l4-4l4 4M16 15l-4 4l-4-4')
export const IconSettings = /* @__PURE__ */ outline(
  'M10.325 4.317c.426-1.756 2.924-1.756 3.35 0a1.724 1.724 0 0 0 2.573 1.066c1.543-.94 3.31 .826 2.37 2.37a1.724 1.724 0 0 0 1.065 2.572c1.756 .426 1.756 2.924 0 3.35a1.724 1.724 0 0 0-1.066 2.573c.94 1.543-.826 3.31-2.37 2.37a1.724 1.724 0 0 0-2.572 1.065c-.426 1.756-2.924 1.756-3.35 0a1.724 1.724 0 0 0-2.573-1.066c-1.543 .94-3.31-.826-2.37-2.37a1.724 1.724 0 0 0-1.065-2.572c-1.756-.426-1.756-2.924 0-3.35a1.724 1.724 0 0 0 1.066-2.573c-.94-1.543 .826-3.31 2.37-2.37c1 .608 2.296 .07 2.572-1.065M9 12a3 3 0 1 0 6 0a3 3 0 0 0-6 0',
)
export const IconShieldCheck = /* @__PURE__ */ outline(
  'M11.46 20.846a12 12 0 0 1-7.96-14.846a12 12 0 0 0 8.5-3a12 12 0 0 0 8.5 3a12 12 0 0 1-.09 7.06M15 19l2 2l4-4',
)
export const IconShieldLock = /* @__PURE__ */ outline(
  'M12 3a12 12 0 0 0 8.5 3a12 12 0 0 1-8.5 15a12 12 0 0 1-8.5-15a12 12 0 0 0 8.5-3M11 11a1 1 0 1 0 2 0a1 1 0 1 0-2 0M12 12v2.5',
)
export const IconStack2 = /* @__PURE__ */ outline('M12 4l-8 4l8 4l8-4l-8-4M4 12l8 4l8-4M4 16l8 4l8-4')
export const IconTable = /* @__PURE__ */ outline(
  'M3 5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-14M3 10h18M10 3v18',
)
export const IconTarget = /* @__PURE__ */ outline(
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M7 12a5 5 0 1 0 10 0a5 5 0 1 0-10 0M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0',
)
export const IconUser = /* @__PURE__ */ outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2',
)
export const IconUserPlus = /* @__PURE__ */ outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M16 19h6M19 16v6M6 21v-2a4 4 0 0 1 4-4h4',
)
export const IconUsers = /* @__PURE__ */ outline(
  'M5 7a4 4 0 1 0 8 0a4 4 0 1 0-8 0M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2M16 3.13a4 4 0 0 1 0 7.75M21 21v-2a4 4 0 0 0-3-3.85',
)
export const IconWorld = /* @__PURE__ */ outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
)
export const IconRefresh = /* @__PURE__ */ outline(
  'M20 11a8.1 8.1 0 0 0-15.5-2m-.5-4v4h4M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
)
