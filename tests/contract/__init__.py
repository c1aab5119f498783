import pytest

# A suite is not a test module by its name, and yet its asserts should say what they compared.
pytest.register_assert_rewrite("tests.contract.game_contract")
