/** A part of a picture. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** More than any screen shows of an avatar; the server makes the sizes that it serves from it. */
const EDGE_PX = 1024

/** How large the cut piece becomes: as it is, down to the largest that is of use. */
export function edgeOf({ width }: Pick<Area, 'width'>): number {
  return Math.max(1, Math.min(EDGE_PX, Math.round(width)))
}

/** Where the whole picture lies, in percent of a frame that shows the chosen part alone. */
export function placeIn({ x, y, width, height }: Area) {
  return {
    width: `${(100 / width) * 100}%`,
    height: `${(100 / height) * 100}%`,
    left: `${(-x / width) * 100}%`,
    top: `${(-y / height) * 100}%`,
  }
}

/** Cuts a square out of a picture that the browser has loaded. */
export async function cut(picture: CanvasImageSource, area: Area): Promise<File> {
  const edge = edgeOf(area)
  const canvas = document.createElement('canvas')
  canvas.width = edge
  canvas.height = edge
  canvas.getContext('2d')?.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, edge, edge)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92))
  if (!blob) throw new Error('the picture could not be cut')
  return new File([blob], 'avatar', { type: blob.type })
}
