/** Browsers drag a link instead of the element around it, unless the link is not draggable. */
export const releaseLink = (element: HTMLElement): void => {
  for (const link of element.querySelectorAll('a')) link.draggable = false
}
