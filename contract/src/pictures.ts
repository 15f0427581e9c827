/** The widths in which pictures of requests are stored. Small pictures are not enlarged. The last is the maximum. */
export const PICTURE_WIDTHS = [320, 640, 960, 1600] as const
export const PICTURE_FORMATS = ['avif', 'webp'] as const

export type PictureWidth = (typeof PICTURE_WIDTHS)[number]
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** The name or address of a stored picture in another width and format. */
export const pictureVariant = (picture: string, width: PictureWidth, format: PictureFormat) =>
  picture.replace(/\.webp$/, `.${width}.${format}`)
