import { ArrowRight, Bell, Ellipsis, LogOut, Pencil, Plus, Store, Trash2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { CountBadge } from '../../ui/display/count-badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Chip } from '../../ui/forms/chip.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import { Example, Group, Row } from './gallery.tsx'

const variants = ['primary', 'secondary', 'quiet', 'danger'] as const
const categories = ['All Categories', 'Furniture', 'Cameras', 'Books', 'Bicycles']
const tabs = { overview: 'Overview', settings: 'Settings', activity: 'Activity', security: 'Security' }

export function Actions() {
  return (
    <>
      <Group title="Buttons">
        {variants.map((variant) => (
          <Example key={variant} label={`${variant}, in three sizes, busy with the same width, disabled`}>
            <Row>
              <Button variant={variant} size="sm">
                <Pencil aria-hidden="true" /> Edit
              </Button>
              <Button variant={variant}>
                <Plus aria-hidden="true" /> Post Your Request
              </Button>
              <Button variant={variant} size="lg">
                Proceed to Payment <ArrowRight aria-hidden="true" />
              </Button>
              <Button variant={variant} busy>
                Confirm Delivery
              </Button>
              <Button variant={variant} disabled>
                Save Bank Account
              </Button>
            </Row>
          </Example>
        ))}
        <Example label="Icon buttons with tooltips after 700 ms, a count, disabled; a link as a button; a back link">
          <Row>
            <Tooltip text="Seller Setup">
              <IconButton label="Seller Setup, 9+ things to do">
                <Store aria-hidden="true" />
                <CountBadge count={12} className="absolute top-0.5 right-0" />
              </IconButton>
            </Tooltip>
            <IconButton label="Remove" size="sm" disabled>
              <Trash2 aria-hidden="true" />
            </IconButton>
            <CountBadge count={1} />
            <Button asChild variant="secondary">
              <a href="#group-buttons">Back to Home</a>
            </Button>
            <BackLink>Back</BackLink>
          </Row>
        </Example>
        <Example label="Chips: pressing the active one clears it">
          <Chips />
        </Example>
      </Group>
      <Group title="Overlays">
        <Row>
          <Dialog
            title="Post Wanted Item"
            description="Say what you want and what you would pay."
            trigger={<Button variant="secondary">Open a dialog</Button>}
            actions={<Button>Post Your Request</Button>}
          >
            <TextField label="Title" placeholder="Oak writing desk, 1990s" />
          </Dialog>
          <ConfirmDialog
            title="Delete your account?"
            description="Your profile is deleted permanently. Transactions stay, under the name Deleted user."
            confirmLabel="Delete Account"
            tone="danger"
            onConfirm={() => {}}
            trigger={<Button variant="secondary">Ask before deleting</Button>}
          />
          <Menu align="start" trigger={<OpenButton label="Open a menu" Icon={Ellipsis} />}>
            <MenuLabel>ada@example.com</MenuLabel>
            <MenuSeparator />
            <MenuItem>
              <UserRound aria-hidden="true" /> Profile
            </MenuItem>
            <MenuItem disabled>
              <Store aria-hidden="true" /> Seller Setup
            </MenuItem>
            <MenuItem tone="danger">
              <LogOut aria-hidden="true" /> Log out
            </MenuItem>
          </Menu>
          <Popover label="News" align="start" trigger={<OpenButton label="Open a popover" Icon={Bell} />}>
            <p className="p-4">Headings, links and buttons in a panel.</p>
          </Popover>
        </Row>
      </Group>
      <Group title="Tabs">
        <Tabs
          label="Profile"
          tabs={Object.entries(tabs).map(([value, label]) => ({ value, label, content: <p>{label}</p> }))}
        />
      </Group>
    </>
  )
}

/** Passes on the props that an overlay adds to its trigger. */
const OpenButton = ({ label, Icon, ...trigger }: { label: string; Icon: typeof Bell }) => (
  <IconButton label={label} {...trigger}>
    <Icon aria-hidden="true" />
  </IconButton>
)

function Chips() {
  const [chosen, setChosen] = useState('Furniture')
  return (
    <Row>
      {categories.map((category) => (
        <Chip
          key={category}
          pressed={category === chosen}
          onClick={() => setChosen(category === chosen ? 'All Categories' : category)}
        >
          {category}
        </Chip>
      ))}
    </Row>
  )
}
