import { createElement, type SVGProps } from 'react'

interface IconData {
  size: number
  node: readonly [tag: string, attributes: Record<string, string>][]
}

/**
 * Draws an icon of lucide-react. The build replaces lucide's own function with this one, which has no context and no
 * options, because lucide's is larger than all icons of the first load.
 */
export default function createIcon({ size, node }: IconData) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return (props: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        ...props,
      },
      shapes,
    )
}
