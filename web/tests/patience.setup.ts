import { configure } from "@testing-library/react";

// By the clock, so that it only ends what never comes: a busy machine is slow.
configure({ asyncUtilTimeout: 60_000 });
