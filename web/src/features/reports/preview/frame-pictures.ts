/**
 * Gives the pictures of a frame that came without their sources those of the frame before: with hundreds of pictures, a
 * document has a hundred megabytes.
 *
 * @returns false if the frame before lacks one of them
 */
export const reusePictures = (before: HTMLIFrameElement | undefined, after: HTMLIFrameElement): boolean => {
  const known = new Map(
    [...picturesIn(before)].flatMap((picture) => (picture.src ? [[picture.dataset['picture'], picture.src]] : [])),
  )
  let hasAll = true
  for (const picture of picturesIn(after)) {
    if (picture.src) continue
    const source = known.get(picture.dataset['picture'])
    if (source === undefined) hasAll = false
    else picture.src = source
  }
  return hasAll
}

const picturesIn = (frame: HTMLIFrameElement | undefined): Iterable<HTMLImageElement> =>
  frame?.contentDocument?.querySelectorAll<HTMLImageElement>('img[data-picture]') ?? []
