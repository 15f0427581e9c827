import { Columns, Example, Group, Row } from './gallery.tsx'

const swatches = [
  ['ground', 'bg-ground'],
  ['paper', 'bg-paper'],
  ['sunken', 'bg-sunken'],
  ['line', 'bg-line'],
  ['line-strong', 'bg-line-strong'],
  ['ink-soft', 'bg-ink-soft'],
  ['ink', 'bg-ink'],
  ['accent', 'bg-accent'],
  ['accent-deep', 'bg-accent-deep'],
  ['accent-wash', 'bg-accent-wash'],
  ['signal', 'bg-signal'],
  ['signal-text', 'bg-signal-text'],
  ['signal-wash', 'bg-signal-wash'],
  ['danger', 'bg-danger'],
  ['danger-deep', 'bg-danger-deep'],
  ['danger-wash', 'bg-danger-wash'],
] as const

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
          {swatches.map(([name, fill]) => (
            <li key={name} className="text-fine text-ink-soft">
              <span className={`mb-1 block h-12 rounded-card ring-1 ring-line ${fill}`} />
              {name}
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
        <Columns>
          <Example label="Digits line up in both fonts">
            <div className="grid w-40 text-right tabular-nums">
              <span>$1,111.11</span>
              <span>$80,888.08</span>
              <span className="font-display font-strong text-lead">$1,111.11</span>
              <span className="font-display font-strong text-lead">$80,888.08</span>
            </div>
          </Example>
          <Example label="Links, and a line in bold">
            <Row>
              <p>
                Read how a{' '}
                <a className="link" href="#group-type">
                  dispute is decided
                </a>{' '}
                before you file one. <strong>Funds stay in escrow.</strong>
              </p>
            </Row>
          </Example>
        </Columns>
      </Group>
    </>
  )
}
