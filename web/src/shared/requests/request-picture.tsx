import {
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  type PictureFormat,
  pictureVariant,
} from '@sought/contract/pictures'
import type { Picture } from '@sought/contract/requests'
import type { ComponentProps } from 'react'

interface Props extends Pick<ComponentProps<'img'>, 'loading' | 'fetchPriority' | 'className'> {
  picture: Picture
  /** The displayed width, as in the attribute `sizes`. */
  sizes: string
}

/** A picture of a request. The browser chooses the format and the smallest sharp width. */
export function RequestPicture({ picture, sizes, ...rest }: Props) {
  const { url, alt, width, height } = picture
  return (
    <picture>
      {PICTURE_FORMATS.map((format) => (
        <source key={format} type={`image/${format}`} srcSet={sourceSet(picture, format)} sizes={sizes} />
      ))}
      <img src={url} alt={alt} width={width ?? undefined} height={height ?? undefined} {...rest} />
    </picture>
  )
}

/** Stored pictures are never enlarged, so the variant with the first larger width has the width of the original. */
function sourceSet({ url, width }: Picture, format: PictureFormat): string {
  const ownWidth = width ?? Number.POSITIVE_INFINITY
  return PICTURE_WIDTHS.filter((_, at) => (PICTURE_WIDTHS[at - 1] ?? 0) < ownWidth)
    .map((it) => `${pictureVariant(url, it, format)} ${Math.min(it, ownWidth)}w`)
    .join()
}
