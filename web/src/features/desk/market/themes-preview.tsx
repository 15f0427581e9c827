import type { CSSProperties, ReactNode } from 'react'

const themes = ['light', 'dark'] as const

interface ThemesPreviewProps {
  /** CSS variables that differ from those of the page. */
  style?: CSSProperties
  children: ReactNode
}

/** The same content in the light and the dark theme. */
export function ThemesPreview({ style, children }: ThemesPreviewProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {themes.map((theme) => (
        <figure
          key={theme}
          style={{ ...style, colorScheme: theme }}
          className="grid content-start gap-3 rounded-card border border-line bg-ground p-4 text-ink"
        >
          <figcaption className="text-fine text-ink-soft">
            {theme === 'light' ? 'Light theme' : 'Dark theme'}
          </figcaption>
          {children}
        </figure>
      ))}
    </div>
  )
}
