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
import { Dialog, DialogClose } from '../../ui/overlays/dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import { Example, Group, Row } from './gallery.tsx'

const categories = ['All Categories', 'Furniture', 'Cameras', 'Books', 'Bicycles']

export function Actions() {
  return (
    <>
      <Group title="Buttons">
        <Example label="Primary, secondary, quiet, danger">
          <Row>
            <Button>Pay $120.00 into escrow</Button>
            <Button variant="secondary">Report Issue</Button>
            <Button variant="quiet">Cancel</Button>
            <Button variant="danger">Delete Account</Button>
          </Row>
        </Example>
        <Example label="Sizes, with icons">
          <Row>
            <Button size="sm">Post</Button>
            <Button size="sm" variant="secondary">
              <Pencil aria-hidden="true" />
              Edit
            </Button>
            <Button>
              <Plus aria-hidden="true" />
              Post Your Request
            </Button>
            <Button size="lg">
              Proceed to Payment
              <ArrowRight aria-hidden="true" />
            </Button>
          </Row>
        </Example>
        <Example label="Busy with the same width, disabled, a link that looks like a button">
          <Row>
            <Button busy>Confirm Delivery</Button>
            <Button variant="secondary" busy>
              Refresh
            </Button>
            <Button disabled>Save Bank Account</Button>
            <Button variant="secondary" disabled>
              Refresh
            </Button>
            <Button variant="quiet" disabled>
              Cancel
            </Button>
            <Button asChild variant="secondary">
              <a href="#group-buttons">Back to Home</a>
            </Button>
          </Row>
        </Example>
        <Example label="Icon buttons with tooltips after 700 ms, a count, disabled">
          <Row>
            <Tooltip text="Edit">
              <IconButton label="Edit">
                <Pencil aria-hidden="true" />
              </IconButton>
            </Tooltip>
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
            <CountBadge count={9} />
            <CountBadge count={10} />
          </Row>
        </Example>
        <Example label="Chips: pressing the active one clears it">
          <Chips />
        </Example>
        <Example label="Back link">
          <div>
            <BackLink>Back</BackLink>
          </div>
        </Example>
      </Group>
      <Group title="Overlays">
        <Row>
          <Dialog
            title="Post Wanted Item"
            description="Say what you want and what you would pay."
            trigger={<Button variant="secondary">Open a dialog</Button>}
            actions={
              <>
                <DialogClose>
                  <Button variant="quiet">Cancel</Button>
                </DialogClose>
                <Button>Post Your Request</Button>
              </>
            }
          >
            <div className="grid gap-5">
              <TextField label="Title" placeholder="Oak writing desk, 1990s" />
              <TextField label="Location" placeholder="Portland, OR" />
            </div>
          </Dialog>
          <ConfirmDialog
            title="Delete your account?"
            description="Your profile is deleted permanently. Transactions stay, under the name Deleted user."
            confirmLabel="Delete Account"
            tone="danger"
            onConfirm={() => {}}
            trigger={<Button variant="secondary">Ask before deleting</Button>}
          />
          <Menu
            align="start"
            trigger={
              <IconButton label="Open a menu">
                <Ellipsis aria-hidden="true" />
              </IconButton>
            }
          >
            <MenuLabel>
              <span className="block font-strong">Ada Obi</span>
              <span className="block text-fine text-ink-soft">ada@example.com</span>
            </MenuLabel>
            <MenuSeparator />
            <MenuItem>
              <UserRound aria-hidden="true" />
              Profile
            </MenuItem>
            <MenuItem disabled>
              <Store aria-hidden="true" />
              Seller Setup
            </MenuItem>
            <MenuItem tone="danger">
              <LogOut aria-hidden="true" />
              Log out
            </MenuItem>
          </Menu>
          <Popover
            label="News"
            align="start"
            trigger={
              <IconButton label="Open a popover">
                <Bell aria-hidden="true" />
              </IconButton>
            }
          >
            <p className="p-4">Headings, links and buttons in a panel.</p>
          </Popover>
        </Row>
      </Group>
      <Group title="Tabs">
        <Tabs
          label="Profile"
          tabs={[
            { value: 'overview', label: 'Overview', content: <p>What others see of you.</p> },
            { value: 'settings', label: 'Settings', content: <p>Name, email and location.</p> },
            { value: 'activity', label: 'Activity', content: <p>What you posted and offered.</p> },
            { value: 'security', label: 'Security', content: <p>Password and account deletion.</p> },
          ]}
        />
      </Group>
    </>
  )
}

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
