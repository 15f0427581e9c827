import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

export interface PersonHeaderProps {
  name: string
  imageUrl: string | null
  /** Lines under the name. */
  children: ReactNode
  /** On the right. */
  aside?: ReactNode
}

/** The header of a screen about one person. */
export function PersonHeader({ name, imageUrl, children, aside }: PersonHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <div className="flex min-w-0 grow basis-72 items-center gap-x-4 sm:gap-x-6">
        <Avatar
          name={name}
          imageUrl={imageUrl}
          size="xl"
          className="self-start max-sm:size-16 max-sm:text-title sm:self-center"
        />
        <div className="grid min-w-0 grow gap-1">
          <h1 className="font-display font-strong text-heading tracking-[-0.012em] [overflow-wrap:anywhere]">
            {name}
          </h1>
          {children}
        </div>
      </div>
      {aside}
    </header>
  )
}
