import { useState } from 'react'
import { classNames } from '../base/class-names.ts'

const sizes = {
  sm: 'size-8 text-body',
  md: 'size-10 text-lead',
  lg: 'size-14 text-title',
  xl: 'size-24 text-heading',
} as const

/** The stored size that is sharp on high-density screens. */
const storedPx = { sm: 64, md: 128, lg: 128, xl: 256 } as const satisfies Record<keyof typeof sizes, number>

/** Uploaded pictures are served in several sizes. */
const sizedUrl = (url: string, size: keyof typeof sizes) =>
  url.startsWith('/files/') ? `${url}?size=${storedPx[size]}` : url

export interface AvatarProps {
  name?: string | null | undefined
  imageUrl?: string | null | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

/**
 * The picture, otherwise the first letter of the name, otherwise U. Hidden from screen readers, because the name is
 * next to it.
 */
export function Avatar({ name, imageUrl, size = 'md', className }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const letter = [...(name?.trim() ?? '')][0]?.toUpperCase() ?? 'U'
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-round bg-accent-wash font-display font-strong text-accent leading-none select-none',
        'ring-1 ring-accent/20 ring-inset',
        sizes[size],
        className,
      )}
    >
      {imageUrl && imageUrl !== brokenUrl ? (
        <img
          src={sizedUrl(imageUrl, size)}
          alt=""
          // Otherwise React preloads it on pages from the server, before larger pictures.
          loading="lazy"
          className="size-full object-cover"
          onError={() => setBrokenUrl(imageUrl)}
        />
      ) : (
        letter
      )}
    </span>
  )
}
