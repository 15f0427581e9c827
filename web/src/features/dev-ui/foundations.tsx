import { Example, Group, Row } from './gallery.tsx'

/** The class of each colour. */
const swatches = (
  'bg-ground bg-paper bg-sunken bg-line bg-line-strong bg-ink-soft bg-ink bg-accent bg-accent-deep ' +
  'bg-accent-wash bg-signal bg-signal-text bg-signal-wash bg-danger bg-danger-deep bg-danger-wash'
).split(' ')

const sizes = [
  ['display', 'font-display font-strong text-display tracking-[-0.02em]', 'Say what you want'],
  ['heading', 'font-display font-strong text-heading tracking-[-0.012em]', 'My Transactions'],
  ['title', 'font-display font-strong text-title', 'Oak writing desk, 1990s'],
  ['lead', 'text-lead', 'The money is held until you have the item.'],
  ['body', 'text-body', 'Scratches are fine; missing drawers are not.'],
  ['fine', 'text-fine text-ink-soft', 'Posted 3 hours ago in Furniture'],
] as const

export function Foundations() {
  return (
    <>
      <Group title="Colour">
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-8">
          {swatches.map((fill) => (
            <li key={fill} className="text-fine text-ink-soft">
              <span className={`mb-1 block h-12 rounded-card ring-1 ring-line ${fill}`} />
              {fill.replace('bg-', '')}
            </li>
          ))}
        </ul>
      </Group>
      <Group title="Type">
        <div className="grid gap-5">
          {sizes.map(([name, look, sample]) => (
            <div key={name} className="grid items-baseline gap-x-6 sm:grid-cols-[5rem_1fr]">
              <span className="text-fine text-ink-soft">{name}</span>
              <span className={look}>{sample}</span>
            </div>
          ))}
        </div>
        <Example label="Digits line up in both fonts; links, and a line in bold">
          <Row>
            <span className="w-40 text-right tabular-nums">$1,111.11</span>
            <span className="w-40 text-right font-display font-strong text-lead tabular-nums">
              $80,888.08
            </span>
            <a className="link" href="#group-type">
              Read how a dispute is decided
            </a>
            <strong>Funds stay in escrow.</strong>
          </Row>
        </Example>
      </Group>
    </>
  )
}
