import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    // Into the package, so that the hall serves it and a wheel carries it.
    outDir: "../src/gamehall/page",
    emptyOutDir: true,
    // Everything is a file of its own: the Content-Security-Policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.{ts,tsx}"],
    // By the clock, so that they only end what hangs: a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["tests/patience.setup.ts"],
    globalSetup: ["tests/recordings.setup.ts", "tests/journals.setup.ts"],
  },
});
