/** A part of an image. */
export interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** Large enough for any screen. The server creates the smaller sizes. */
const MAX_EDGE_PX = 1024

/** The edge length of the cropped square in pixels. It is never scaled up. */
export function getEdgePx({ width }: Pick<Area, 'width'>): number {
  return Math.max(1, Math.min(MAX_EDGE_PX, Math.round(width)))
}

/** Styles that place an image in a frame so that only the chosen area (in percent) is visible. */
export function placeAreaInFrame({ x, y, width, height }: Area) {
  return {
    width: `${(100 / width) * 100}%`,
    height: `${(100 / height) * 100}%`,
    left: `${(-x / width) * 100}%`,
    top: `${(-y / height) * 100}%`,
  }
}

/** Cuts a square out of a loaded image. */
export async function cropImage(image: CanvasImageSource, area: Area): Promise<File> {
  const edge = getEdgePx(area)
  const canvas = document.createElement('canvas')
  canvas.width = edge
  canvas.height = edge
  canvas.getContext('2d')?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, edge, edge)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92))
  if (!blob) throw new Error('the image could not be cropped')
  return new File([blob], 'avatar', { type: blob.type })
}
