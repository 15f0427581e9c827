import { cloneElement, type HTMLAttributes, type ReactElement, type Ref } from 'react'
import { classNames } from './class-names.ts'

type Props = Record<string, unknown>

/**
 * Renders its only child, such as a link, with its own props. The child's props win, class names are joined, and
 * both handlers of an event run. Radix's Slot does more than we need and is six times as large, on every page.
 */
export function Slot({ children, ...props }: HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }) {
  const child = children as ReactElement<Props & { className?: string }>
  return cloneElement(child, {
    ...props,
    ...child.props,
    ...joinHandlers(props as Props, child.props),
    className: classNames(props.className, child.props.className),
  })
}

function joinHandlers(outer: Props, inner: Props): Props {
  const joined: Props = {}
  for (const [name, own] of Object.entries(outer)) {
    const other = inner[name]
    if (typeof own !== 'function' || typeof other !== 'function') continue
    joined[name] = (...values: unknown[]) => {
      other(...values)
      own(...values)
    }
  }
  return joined
}
