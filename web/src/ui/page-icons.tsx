/*! Icons of Tabler Icons 3.51 (https://tabler.io/icons): MIT License, copyright (c) 2020-2026 Paweł Kuna; see icons.LICENSE. */
// Icons that only pages and overlays show: the first page is loaded without them.
import { filled, outline } from './icons.tsx'

export const IconAdjustments = /* @__PURE__ */ outline(
  'M4 10a2 2 0 1 0 4 0a2 2 0 0 0-4 0M6 4v4M6 12v8M10 16a2 2 0 1 0 4 0a2 2 0 0 0-4 0M12 4v10M12 18v2M16 7a2 2 0 1 0 4 0a2 2 0 0 0-4 0M18 4v1M18 9v11',
)
export const IconAlertTriangle = /* @__PURE__ */ outline(
  'M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636-2.87l-8.106-13.536a1.914 1.914 0 0 0-3.274 0M12 16h.01',
)
export const IconArchive = /* @__PURE__ */ outline(
  'M3 6a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2M5 8v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-10M10 12h4',
)
export const IconArrowBackUp = /* @__PURE__ */ outline('M9 14l-4-4l4-4M5 10h11a4 4 0 1 1 0 8h-1')
export const IconArrowDown = /* @__PURE__ */ outline('M12 5v14M18 13l-6 6M6 13l6 6')
export const IconArrowForwardUp = /* @__PURE__ */ outline('M15 14l4-4l-4-4M19 10h-11a4 4 0 1 0 0 8h1')
export const IconArrowsDiagonal = /* @__PURE__ */ outline('M16 4h4v4M14 10l6-6M8 20h-4v-4M4 20l6-6')
export const IconArrowsDiagonalMinimize2 = /* @__PURE__ */ outline('M18 10h-4v-4M20 4l-6 6M6 14h4v4M10 14l-6 6')
export const IconArrowsDiff = /* @__PURE__ */ outline('M11 16h10M11 16l4 4M11 16l4-4M13 8h-10M13 8l-4 4M13 8l-4-4')
export const IconArrowUpRight = /* @__PURE__ */ outline('M17 7l-10 10M8 7h9v9')
export const IconAt = /* @__PURE__ */ outline(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M16 12v1.5a2.5 2.5 0 0 0 5 0v-1.5a9 9 0 1 0-5.5 8.28',
)
export const IconBold = /* @__PURE__ */ outline('M7 5h6a3.5 3.5 0 0 1 0 7h-6v-7M13 12h1a3.5 3.5 0 0 1 0 7h-7v-7')
export const IconBolt = /* @__PURE__ */ outline('M13 3v7h6l-8 11v-7h-6l8-11')
export const IconBug = /* @__PURE__ */ outline(
  'M9 9v-1a3 3 0 0 1 6 0v1M8 9h8a6 6 0 0 1 1 3v3a5 5 0 0 1-10 0v-3a6 6 0 0 1 1-3M3 13h4M17 13h4M12 20v-6M4 19l3.35-2M20 19l-3.35-2M4 7l3.75 2.4M20 7l-3.75 2.4',
)
export const IconCalendar = /* @__PURE__ */ outline(
  'M4 7a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12M16 3v4M8 3v4M4 11h16M11 15h1M12 15v3',
)
export const IconCalendarRepeat = /* @__PURE__ */ outline(
  'M12.5 21h-6.5a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v3M16 3v4M8 3v4M4 11h12M20 14l2 2h-3M20 18l2-2M19 16a3 3 0 1 0 2 5.236',
)
export const IconCheck = /* @__PURE__ */ outline('M5 12l5 5l10-10')
export const IconCheckbox = /* @__PURE__ */ outline(
  'M9 11l3 3l8-8M20 12v6a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2h9',
)
export const IconChevronDown = /* @__PURE__ */ outline('M6 9l6 6l6-6')
export const IconChevronLeft = /* @__PURE__ */ outline('M15 6l-6 6l6 6')
export const IconChevronRight = /* @__PURE__ */ outline('M9 6l6 6l-6 6')
export const IconClipboardList = /* @__PURE__ */ outline(
  'M9 5h-2a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-12a2 2 0 0 0-2-2h-2M9 5a2 2 0 0 1 2-2h2a2 2 0 0 1 2 2a2 2 0 0 1-2 2h-2a2 2 0 0 1-2-2M9 12h.01M13 12h2M9 16h.01M13 16h2',
)
export const IconCopy = /* @__PURE__ */ outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667-2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1-2.667 2.667h-8.666a2.667 2.667 0 0 1-2.667-2.667v-8.666M4.012 16.737a2.005 2.005 0 0 1-1.012-1.737v-10c0-1.1 .9-2 2-2h10c.75 0 1.158 .385 1.5 1',
)
export const IconCopyPlus = /* @__PURE__ */ outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667-2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1-2.667 2.667h-8.666a2.667 2.667 0 0 1-2.667-2.667v-8.666M4.012 16.737a2 2 0 0 1-1.012-1.737v-10c0-1.1 .9-2 2-2h10c.75 0 1.158 .385 1.5 1M11 14h6M14 11v6',
)
export const IconCrop = /* @__PURE__ */ outline('M8 5v10a1 1 0 0 0 1 1h10M5 8h10a1 1 0 0 1 1 1v10')
export const IconDeviceDesktop = /* @__PURE__ */ outline(
  'M3 5a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-16a1 1 0 0 1-1-1v-10M7 20h10M9 16v4M15 16v4',
)
export const IconDeviceFloppy = /* @__PURE__ */ outline(
  'M6 4h10l4 4v10a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-12a2 2 0 0 1 2-2M10 14a2 2 0 1 0 4 0a2 2 0 1 0-4 0M14 4v4h-6v-4',
)
export const IconDots = /* @__PURE__ */ outline(
  'M4 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
)
export const IconEdit = /* @__PURE__ */ outline(
  'M7 7h-1a2 2 0 0 0-2 2v9a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-1M20.385 6.585a2.1 2.1 0 0 0-2.97-2.97l-8.415 8.385v3h3l8.385-8.415M16 5l3 3',
)
export const IconEye = /* @__PURE__ */ outline(
  'M10 12a2 2 0 1 0 4 0a2 2 0 0 0-4 0M21 12c-2.4 4-5.4 6-9 6c-3.6 0-6.6-2-9-6c2.4-4 5.4-6 9-6c3.6 0 6.6 2 9 6',
)
export const IconEyeOff = /* @__PURE__ */ outline(
  'M10.585 10.587a2 2 0 0 0 2.829 2.828M16.681 16.673a8.717 8.717 0 0 1-4.681 1.327c-3.6 0-6.6-2-9-6c1.272-2.12 2.712-3.678 4.32-4.674m2.86-1.146a9.055 9.055 0 0 1 1.82-.18c3.6 0 6.6 2 9 6c-.666 1.11-1.379 2.067-2.138 2.87M3 3l18 18',
)
export const IconFile = /* @__PURE__ */ outline(
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1-2-2v-14a2 2 0 0 1 2-2h7l5 5v11a2 2 0 0 1-2 2',
)
export const IconFolderPlus = /* @__PURE__ */ outline(
  'M12 19h-7a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2h4l3 3h7a2 2 0 0 1 2 2v3.5M16 19h6M19 16v6',
)
export const IconFolderSymlink = /* @__PURE__ */ outline(
  'M3 21v-4a3 3 0 0 1 3-3h5M8 17l3-3l-3-3M3 11v-5a2 2 0 0 1 2-2h4l3 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8',
)
export const IconGripVertical = /* @__PURE__ */ outline(
  'M8 5a1 1 0 1 0 2 0a1 1 0 1 0-2 0M8 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M8 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 5a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 19a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
)
export const IconHeading = /* @__PURE__ */ outline('M7 12h10M7 5v14M17 5v14M15 19h4M15 5h4M5 19h4M5 5h4')
export const IconHelpCircle = /* @__PURE__ */ outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0M12 16v.01M12 13a2 2 0 0 0 .914-3.782a1.98 1.98 0 0 0-2.414 .483',
)
export const IconItalic = /* @__PURE__ */ outline('M11 5h6M7 19h6M14 5l-4 14')
export const IconLink = /* @__PURE__ */ outline(
  'M9 15l6-6M11 6l.463-.536a5 5 0 0 1 7.071 7.072l-.534 .464M13 18l-.397 .534a5.068 5.068 0 0 1-7.127 0a4.972 4.972 0 0 1 0-7.071l.524-.463',
)
export const IconList = /* @__PURE__ */ outline('M9 6h11M9 12h11M9 18h11M5 6v.01M5 12v.01M5 18v.01')
export const IconLogout = /* @__PURE__ */ outline(
  'M14 8v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-2M9 12h12l-3-3M18 15l3-3',
)
export const IconMessage = /* @__PURE__ */ outline(
  'M8 9h8M8 13h6M18 4a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-5l-5 3v-3h-2a3 3 0 0 1-3-3v-8a3 3 0 0 1 3-3h12',
)
export const IconMoon = /* @__PURE__ */ outline(
  'M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1-8.313-12.454v.008',
)
export const IconPaperclip = /* @__PURE__ */ outline(
  'M15 7l-6.5 6.5a1.5 1.5 0 0 0 3 3l6.5-6.5a3 3 0 0 0-6-6l-6.5 6.5a4.5 4.5 0 0 0 9 9l6.5-6.5',
)
export const IconPencil = /* @__PURE__ */ outline('M4 20h4l10.5-10.5a2.828 2.828 0 1 0-4-4l-10.5 10.5v4M13.5 6.5l4 4')
export const IconPin = /* @__PURE__ */ outline(
  'M15 4.5l-4 4l-4 1.5l-1.5 1.5l7 7l1.5-1.5l1.5-4l4-4M9 15l-4.5 4.5M14.5 4l5.5 5.5',
)
export const IconPinFilled = /* @__PURE__ */ filled(
  'M15.113 3.21l.094 .083l5.5 5.5a1 1 0 0 1-1.175 1.59l-3.172 3.171l-1.424 3.797a1 1 0 0 1-.158 .277l-.07 .08l-1.5 1.5a1 1 0 0 1-1.32 .082l-.095-.083l-2.793-2.792l-3.793 3.792a1 1 0 0 1-1.497-1.32l.083-.094l3.792-3.793l-2.792-2.793a1 1 0 0 1-.083-1.32l.083-.094l1.5-1.5a1 1 0 0 1 .258-.187l.098-.042l3.796-1.425l3.171-3.17a1 1 0 0 1 1.497-1.26z',
)
export const IconPlayerPlay = /* @__PURE__ */ outline('M7 4v16l13-8l-13-8')
export const IconSend = /* @__PURE__ */ outline(
  'M10 14l11-11M21 3l-6.5 18a.55 .55 0 0 1-1 0l-3.5-7l-7-3.5a.55 .55 0 0 1 0-1l18-6.5',
)
export const IconShieldX = /* @__PURE__ */ outline(
  'M13.252 20.601c-.408 .155-.826 .288-1.252 .399a12 12 0 0 1-8.5-15a12 12 0 0 0 8.5-3a12 12 0 0 0 8.5 3a12 12 0 0 1-.19 7.357M22 22l-5-5M17 22l5-5',
)
export const IconSun = /* @__PURE__ */ outline(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0-8 0M3 12h1m8-9v1m8 8h1m-9 8v1m-6.4-15.4l.7 .7m12.1-.7l-.7 .7m0 11.4l.7 .7m-12.1-.7l-.7 .7',
)
export const IconTag = /* @__PURE__ */ outline(
  'M6.5 7.5a1 1 0 1 0 2 0a1 1 0 1 0-2 0M3 6v5.172a2 2 0 0 0 .586 1.414l7.71 7.71a2.41 2.41 0 0 0 3.408 0l5.592-5.592a2.41 2.41 0 0 0 0-3.408l-7.71-7.71a2 2 0 0 0-1.414-.586h-5.172a3 3 0 0 0-3 3',
)
export const IconTemplate = /* @__PURE__ */ outline(
  'M4 5a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-14a1 1 0 0 1-1-1v-2M4 13a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-6M14 12h6M14 16h6M14 20h6',
)
export const IconTerminal2 = /* @__PURE__ */ outline(
  'M8 9l3 3l-3 3M13 15h3M3 6a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-12',
)
export const IconTrash = /* @__PURE__ */ outline(
  'M4 7h16M10 11v6M14 11v6M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2l1-12M9 7v-3a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v3',
)
export const IconUpload = /* @__PURE__ */ outline('M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 9l5-5l5 5M12 4v12')
export const IconUserCheck = /* @__PURE__ */ outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4M15 19l2 2l4-4',
)
export const IconUserMinus = /* @__PURE__ */ outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4c.348 0 .686 .045 1.009 .128M16 19h6',
)
export const IconX = /* @__PURE__ */ outline('M18 6l-12 12M6 6l12 12')
export const IconLetterT = /* @__PURE__ */ outline('M6 4h12M12 4v16')
export const IconNumber1 = /* @__PURE__ */ outline('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M10 10l2-2v8')
export const IconPointer = /* @__PURE__ */ outline(
  'M7.904 17.563a1.2 1.2 0 0 0 2.228 .308l2.09-3.093l4.907 4.907a1.067 1.067 0 0 0 1.509 0l1.047-1.047a1.067 1.067 0 0 0 0-1.509l-4.907-4.907l3.113-2.09a1.2 1.2 0 0 0-.309-2.228l-13.582-3.904z',
)
/** Our own: a black bar over lines of text. */
export const IconRedaction = /* @__PURE__ */ outline('M4 5h9M4 19h13M4 10h16v4h-16zM4 11h16M4 12h16M4 13h16')
export const IconSquare = /* @__PURE__ */ outline(
  'M3 5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2z',
)
export const IconZoomIn = /* @__PURE__ */ outline('M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M7 10h6M10 7v6M21 21l-6-6')
export const IconZoomOut = /* @__PURE__ */ outline('M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M7 10h6M21 21l-6-6')
