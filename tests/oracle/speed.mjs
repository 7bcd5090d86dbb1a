#!/usr/bin/env node
// MB/s of @xterm/headless on a file, in processor time: node speed.mjs FILE
import fs from 'node:fs';
import headless from '@xterm/headless';

const CHUNK = 65536;
const ROUNDS = 3;

function round(data) {
  const term = new headless.Terminal({ cols: 80, rows: 24, scrollback: 10000, allowProposedApi: true });
  const start = process.cpuUsage();
  return new Promise((resolve) => {
    const next = (at) => {
      if (at < data.length) {
        term.write(data.subarray(at, at + CHUNK), () => next(at + CHUNK));
        return;
      }
      const { user, system } = process.cpuUsage(start);
      term.dispose();
      resolve(data.length / (user + system));
    };
    next(0);
  });
}

const data = fs.readFileSync(process.argv[2]);
const rates = [];
for (let i = 0; i < ROUNDS; i++) rates.push(await round(data));
process.stdout.write(`${Math.max(...rates).toFixed(1)}\n`);
process.exit(0);
